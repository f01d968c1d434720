/** The cost of a new hash, as recommended by OWASP for argon2id: 19 MiB and two passes. Tests lower it. */
export const hashCost = { memory: 19 * 1024, passes: 2 };
