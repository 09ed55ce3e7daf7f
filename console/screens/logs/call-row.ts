// The rows of the log that are about calls.
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'

/** Returns whether a row is about a call; other rows have no token, model or channel. */
export const isCallRow = ({ type }: Pick<LogEntry, 'type'>) =>
  ([LOG_ROW_TYPE.unknown, LOG_ROW_TYPE.consumption, LOG_ROW_TYPE.error] as number[]).includes(type)
