// OpenAI's chat completions, the format of most providers and clients.
import { codec } from '../codec.ts'
import { chatObjects } from '../openai-objects.ts'
import * as head from './head.ts'
import { OPENAI_WORDS } from './head.ts'
import * as patch from './patch.ts'
import * as proofs from './patch.ts'
import { NAME } from './tools.ts'
import { BUCKETS } from './usage.ts'
import * as errors from './error.ts'
import * as events from './events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import { createTidier, tidyReply } from './tidy.ts'
import * as watch from './watch.ts'
import * as writeRequest from './write-request.ts'

export const openaiChat = codec(
  {
    name: NAME,
    paths: ['/v1/chat/completions'],
    words: OPENAI_WORDS,
    usageKeys: ['usage'],
    modelKeys: ['model'],
    idPrefix: 'chatcmpl-',
    buckets: BUCKETS,
    objects: chatObjects,
    tidy: { reply: tidyReply, stream: createTidier },
  },
  { ...head, ...request, ...writeRequest, ...proofs, ...patch, ...watch, ...events, ...reply, ...errors },
)
