// The identities of a user at other services.

/** One service's name for a user. Times in epoch seconds. */
export interface Identity {
  /** As in `/api/oauth/{type}`. */
  provider: string
  /** Compared letter for letter. */
  subject: string
  user_id: number
  created_time: number
}

/**
 * Returns true if the text can be stored unchanged. Databases cannot store NUL or half a surrogate pair, and replace
 * them all by the same character, so two users could become one.
 */
export const isSubject = (subject: string): boolean => subject !== '' && !/\0|\p{Cs}/u.test(subject)

export interface IdentityStore {
  /** Null also for what is no subject. */
  find(provider: string, subject: string): Promise<Identity | null>
  listOfUser(userId: number): Promise<Identity[]>
  /**
   * Replaces this user's identity at the service. @throws GatewayError oauth.subject, oauth.taken if it belongs to
   * another user
   */
  bind(identity: Identity): Promise<void>
  /** False where there was none. */
  unbind(userId: number, provider: string): Promise<boolean>
}
