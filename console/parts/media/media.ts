// Generated pictures, songs, films and texts, wherever they are stored.
import { toServerAddress } from '../../data/base.ts'

export interface ViewableMedium {
  key: string
  kind: 'picture' | 'song' | 'film' | 'words'
  /** Empty for a text. */
  src: string
  title: string
  /** The lyrics, the text, or the prompt. */
  text?: string
  /** The cover picture of a song. */
  cover?: string
}

/** Returns an address that a page may load media from: on the web, or of this server. Empty for any other. */
export function toMediaAddress(url: unknown): string {
  if (typeof url !== 'string' || url === '') return ''
  const here = url.startsWith('/') && !url.startsWith('//') ? toServerAddress(url) : url
  return URL.canParse(here, document.baseURI) && /^https?:$/.test(new URL(here, document.baseURI).protocol) ? here : ''
}
