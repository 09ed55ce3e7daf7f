// Converts the headers that a channel of new-api adds to its requests (`header_override`).
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import { HeaderName, HeaderValue } from '../../settings/headers.ts'
import { getCellObject, type RowChangeNotes, type SourceRow } from '../cells.ts'

/** The placeholder of the channel's key in a value. */
const KEY = '{api_key}'

interface Converted {
  headers: Record<string, string>
  /** Reason for disabling the channel, if not all headers can be sent. */
  off?: Words
}

/** @param key the only key of the channel; empty for several */
export function convertChannelHeaders(row: SourceRow, key: string, notes: RowChangeNotes): Converted {
  const headers: Record<string, string> = {}
  const lost: string[] = []
  for (const [name, value] of Object.entries(getCellObject(row, 'header_override', notes))) {
    const text = typeof value === 'string' ? value.replaceAll(KEY, key || KEY) : ''
    const hasPlaceholder = typeof value === 'string' && /\{.*\}/.test(key === '' ? value : value.replaceAll(KEY, ''))
    const isSendable =
      typeof value === 'string' &&
      !hasPlaceholder &&
      !PATTERN.test(name) &&
      HeaderName.safeParse(name).success &&
      HeaderValue.safeParse(text).success
    if (isSendable) headers[name] = text
    else lost.push(name)
  }
  if (lost.length === 0) return { headers }
  return {
    headers,
    off: fillTemplate(
      words('the headers {lost} of header_override cannot be sent from here: it is switched off without them'),
      { lost: joinList(lost) },
    ),
  }
}

/** `*` and patterns pass on headers of the caller. */
const PATTERN = /^(?:\*|re:|regex:)/
