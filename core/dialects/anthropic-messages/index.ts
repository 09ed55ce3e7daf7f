// Anthropic's Messages API, the format of Claude and its clients.
import { assembleDialect } from '../codec.ts'
import { promptTokenCount } from './count.ts'
import { messageObjects } from './objects.ts'
import { USAGE_BUCKETS } from './usage.ts'
import { COST_SCANNER } from './words.ts'
import * as errors from './error.ts'
import * as head from './head.ts'
import * as patch from './patch.ts'
import * as proofs from './reasoning-signatures.ts'
import * as reading from './read-events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writing from './write-events.ts'
import * as writeRequest from './write-request.ts'

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
  { ...head, ...request, ...writeRequest, ...proofs, ...patch, ...watch, ...reading, ...writing, ...reply, ...errors },
)
