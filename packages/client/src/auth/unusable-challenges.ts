/**
 * Responses that have no Digest challenge the client supports. The errors that are created from these responses say
 * so.
 */
export const unusableChallenges = new WeakSet<Response>()
