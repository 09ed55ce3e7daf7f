// Chooses the language of messages to a user and of the texts in their log.
import type { Language } from '../errors.ts'
import { formatLogText } from '../logs/event-texts.ts'
import { parseUserSetting, type User } from './user.ts'

/** Returns the user's language, or the requester's if the user has none. */
export const getUserLanguage = (owner: Pick<User, 'setting'>, asking: Language): Language =>
  parseUserSetting(owner).language ?? asking

/** The text of an event of a user's account. @param asking the language of who asks */
export const formatEventText = (
  name: Parameters<typeof formatLogText>[0],
  given: Parameters<typeof formatLogText>[1],
  owner: Pick<User, 'setting'>,
  asking: Language,
): string => formatLogText(name, given, getUserLanguage(owner, asking))
