// Chats of other sites that operators have saved: templates of addresses with places for a key and for this server.

export interface SavedChat {
  name: string
  template: string
}

/** Parses the saved links in their order; undefined if the value is no such list. */
export function parseSavedChats(chats: unknown): SavedChat[] | undefined {
  if (!Array.isArray(chats)) return undefined
  const entries = chats.flatMap((each: unknown): [string, unknown][] =>
    isObject(each) ? Object.entries(each) : [['', undefined]],
  )
  const saved = entries.flatMap(([name, template]) => (typeof template === 'string' ? [{ name, template }] : []))
  return saved.length === entries.length ? saved : undefined
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const KEY = '{key}'

/** Returns true if the link receives a user's key. */
export const wantsUserKey = ({ template }: SavedChat): boolean => template.includes(KEY)

/** `key` with its prefix; `address` of this server, which is encoded. */
export const fillChatLink = ({ template }: SavedChat, { key, address }: { key: string; address: string }): string =>
  template.replaceAll('{address}', encodeURIComponent(address)).replaceAll(KEY, key)

/** A site whose name is not a placeholder; otherwise the final address is unknown. */
const PLAIN_SITE = /^https?:\/\/[\w.:[\]-]+$/

/** The site that it is a page of; undefined for what a program on the reader's machine opens (opencat://…). */
export function getSite(address: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const { origin } = new URL(address)
  return PLAIN_SITE.test(origin) ? origin : undefined
}
