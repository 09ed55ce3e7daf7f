// Pictures, songs, films and words that somebody has made, wherever they lie.
import { address } from '../../data/base.ts'

export interface Medium {
  key: string
  kind: 'picture' | 'song' | 'film' | 'words'
  /** Empty for words. */
  src: string
  title: string
  /** What is sung or written, or what it was made of. */
  text?: string
  /** The picture of a song. */
  cover?: string
}

/** An address that a page may show something from: of the web, or of this server. Empty where it is none of these. */
export function mediaAddress(url: unknown): string {
  if (typeof url !== 'string' || url === '') return ''
  const here = url.startsWith('/') && !url.startsWith('//') ? address(url) : url
  return URL.canParse(here, document.baseURI) && /^https?:$/.test(new URL(here, document.baseURI).protocol) ? here : ''
}
