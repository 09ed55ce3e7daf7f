// Anthropic's Messages API, the format of Claude and its clients.
import { codec } from '../codec.ts'
import { promptCount } from './count.ts'
import { objects } from './objects.ts'
import { BUCKETS } from './usage.ts'
import { WORDS } from './words.ts'
import * as errors from './error.ts'
import * as head from './head.ts'
import * as patch from './patch.ts'
import * as proofs from './proofs.ts'
import * as reading from './read-events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writing from './write-events.ts'
import * as writeRequest from './write-request.ts'

export const anthropicMessages = codec(
  {
    name: request.NAME,
    paths: ['/v1/messages'],
    words: WORDS,
    usageKeys: ['usage'],
    modelKeys: ['model', 'message.model'],
    idPrefix: 'msg_',
    buckets: BUCKETS,
    proves: true,
    headers: ['anthropic-version', 'anthropic-beta'],
    count: promptCount,
    objects,
  },
  { ...head, ...request, ...writeRequest, ...proofs, ...patch, ...watch, ...reading, ...writing, ...reply, ...errors },
)
