# The product with its Node and its packages; the database is another container (compose.yaml) or DATABASE_URL.
FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data /app
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm install --omit=dev && npm cache clean --force
COPY --chown=node:node . .
RUN node --input-type=module --eval "await (await import('/app/bin/build.ts')).buildIfStale()"
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "bin/serve.ts"]
