// In which language a user is written to, and what their log says in it.
import type { Language } from '../errors.ts'
import { logText } from '../logs/event-texts.ts'
import { userSetting, type User } from './user.ts'

/** In which language a user is written to: their own, or for who has never said theirs that of who asks. */
export const languageFor = (owner: Pick<User, 'setting'>, asking: Language): Language =>
  userSetting(owner).language ?? asking

/** The text of an event of a user's account. @param asking the language of who asks */
export const eventText = (
  name: Parameters<typeof logText>[0],
  given: Parameters<typeof logText>[1],
  owner: Pick<User, 'setting'>,
  asking: Language,
): string => logText(name, given, languageFor(owner, asking))
