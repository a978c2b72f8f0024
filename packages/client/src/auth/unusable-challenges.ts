/** Responses without a supported Digest challenge. The errors for these responses mention this. */
export const unusableChallenges = new WeakSet<Response>()
