// Chooses the language of messages to a user and of the texts in their log.
import type { Language } from '../errors.ts'
import { logText } from '../logs/event-texts.ts'
import { userSetting, type User } from './user.ts'

/** Returns the user's language, or the requester's if the user has none. */
export const languageFor = (owner: Pick<User, 'setting'>, asking: Language): Language =>
  userSetting(owner).language ?? asking

/** The text of an event of a user's account. @param asking the language of who asks */
export const eventText = (
  name: Parameters<typeof logText>[0],
  given: Parameters<typeof logText>[1],
  owner: Pick<User, 'setting'>,
  asking: Language,
): string => logText(name, given, languageFor(owner, asking))
