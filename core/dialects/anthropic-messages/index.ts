// Anthropic's Messages API, the format of Claude and its clients.
import { assembleDialect } from '../codec.ts'
import * as head from './head.ts'
import { messageObjects } from './head.ts'
import { USAGE_BUCKETS } from './usage.ts'
import * as errors from './error.ts'
import * as patch from './patch.ts'
import * as reading from './read-events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writing from './write-events.ts'
import * as writeRequest from './write-request.ts'
import type { TokenCount } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { asFiniteNumber, asObject, getMember, parseJsonBytes } from '../json/json-value.ts'
import { createRequestCostScanner } from '../requests/cost-scanner.ts'

// Patterns of Anthropic's request fields that hold something other than text.

const COST_SCANNER = createRequestCostScanner({
  pictures: ['image'],
  files: ['file\\w*', 'document', 'web_?search\\w*'],
  hostedTools: [
    ...['web_?search\\w*', 'web_?fetch\\w*', '(?:\\w+_)?code_?execution\\w*', 'tool_search\\w*', 'advisor\\w*'],
    ...['mcp\\w*', 'container'],
  ],
  // The last two are fields of other vendors that use this format for their own models.
  thoughts: ['thinking', 'reasoning_effort', 'enable_thinking'],
  mediaOut: [],
  sound: [],
})

// Converts token counting of prompts to and from Anthropic's format.

/** The fields that the endpoint accepts. It refuses limits and sampling. */
const COUNTED = new Set(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'])

const promptTokenCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parseJsonBytes(request)) ?? {})
    return toJsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'input_tokens')),
  write: (input_tokens) => toJsonBytes({ input_tokens }),
}

export const anthropicMessages = assembleDialect(
  {
    name: request.FORMAT_NAME,
    paths: ['/v1/messages'],
    words: COST_SCANNER,
    usageKeys: ['usage'],
    modelKeys: ['model', 'message.model'],
    idPrefix: 'msg_',
    buckets: USAGE_BUCKETS,
    proves: true,
    headers: ['anthropic-version', 'anthropic-beta'],
    count: promptTokenCount,
    objects: messageObjects,
  },
  { ...head, ...request, ...writeRequest, ...patch, ...watch, ...reading, ...writing, ...reply, ...errors },
)
