/** Responses without a Digest challenge that the client supports, for the errors that are created from them. */
export const unusableChallenges = new WeakSet<Response>()
