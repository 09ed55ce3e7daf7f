// Converts a submission for a Midjourney proxy: the caller's body with the proxy's ids, limited by the operator's
// settings.
import { fail } from '../../../errors.ts'
import { asObject, asText, type JsonObject } from '../../json/json-value.ts'
import type { ParsedSubmission, TaskRequest, TaskTarget } from '../task-dialect.ts'
import { findDrawingMode } from './actions.ts'
import { SUBMISSION_KINDS, getSubmissionPath } from './submission.ts'

// Removes speed flags from a prompt.

/** Midjourney accepts an em dash for two hyphens, as telephones write it. */
const MODE_WORD = /(^|\s+)(?:--|—)(?:fast|relax|turbo)(?=\s|$)/gi

/** Removes `--fast`, `--relax` and `--turbo` from the prompt; the rest is unchanged. */
export const removeModeFlags = (prompt: string): string => {
  const cleared = prompt.replace(MODE_WORD, '')
  return cleared === prompt ? prompt : cleared.trim()
}

/** Returns the request to the proxy; the mode is part of the path if the proxy supports modes. */
export function buildProxySubmission({ given }: ParsedSubmission, to: TaskTarget, knowsModes: boolean): TaskRequest {
  const { kind, mode, body } = given
  const place = getSubmissionPath(SUBMISSION_KINDS.find((one) => one === kind) ?? fail('request.unknown_path'))
  const prefix = knowsModes && findDrawingMode(asText(mode)) !== undefined ? `/mj-${String(mode)}` : ''
  return { method: 'POST', path: `${prefix}/mj/${place}`, json: asAllowed(asObject(body) ?? {}, to) }
}

function asAllowed(body: JsonObject, { follows, callback, settings }: TaskTarget): JsonObject {
  const { accountFilter, notifyHook: _, ...json } = body
  if (accountFilter !== undefined && settings.MjAccountFilterEnabled) json.accountFilter = accountFilter
  // The caller's callback address is not forwarded: Weir sends the notifications itself.
  if (callback !== undefined && settings.MjNotifyEnabled) json.notifyHook = callback
  if (typeof json.prompt === 'string' && settings.MjModeClearEnabled) json.prompt = removeModeFlags(json.prompt)
  if (follows && json.taskId !== undefined) json.taskId = follows.upstream_id
  if (follows && typeof json.content === 'string')
    json.content = json.content.trim().replace(/^\S+/, follows.upstream_id)
  return json
}
