// The search of a failed call: the last one, or the last one with an error text.
import type { WeirClient } from '../../core/contracts.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { GatewayRefusal } from '../failure.ts'
import { words } from '../texts.ts'

/** Number of failed calls that are searched for a text. */
const SEARCHED_CALLS = 500
const PAGE_SIZE = 100

/** Yields failed calls, newest first: of everybody for administrators, of a user the own ones. */
async function* listFailures({ logs }: WeirClient, most: number, page_size: number): AsyncGenerator<LogEntry> {
  for (let seen = 0, cursor: string | undefined; seen < most && cursor !== ''; seen += page_size) {
    const { items, next_cursor } = await logs.list({ type: LOG_ROW_TYPE.error, page_size, cursor: cursor ?? '' })
    // A row of another program may have no request id.
    yield* items.filter(({ request_id }) => request_id !== '')
    cursor = next_cursor
  }
}

/** Returns the request id of the last failed call. @throws GatewayRefusal if none failed */
export async function findRequiredLastFailure(weir: WeirClient): Promise<string> {
  for await (const { request_id } of listFailures(weir, SEARCHED_CALLS, 1)) return request_id
  throw new GatewayRefusal(words('No failed call was found among those that you may see.'), 'log.missing')
}

const NAMED_REQUEST = /request id: ?([\w-]+)/i

/** Returns the request id that an error of Weir names at its end. */
export const findNamedRequest = (text: string): string | undefined => NAMED_REQUEST.exec(text)?.[1]

/** Returns the request id of the last failed call whose error contains the text, in either language. */
export async function findFailureByText(weir: WeirClient, text: string): Promise<string | undefined> {
  const searched = text.toLowerCase()
  for await (const { content, request_id } of listFailures(weir, SEARCHED_CALLS, PAGE_SIZE)) {
    const texts = [content, translateStoredFailure(content, 'en'), translateStoredFailure(content, 'zh')]
    if (texts.some((each) => each.toLowerCase().includes(searched))) return request_id
  }
  return undefined
}
