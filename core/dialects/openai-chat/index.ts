// OpenAI's chat completions, the format of most providers and clients.
import { assembleDialect } from '../codec.ts'
import { chatObjectPlaces } from '../requests/openai-objects.ts'
import * as head from './head.ts'
import { OPENAI_COST_SCANNER } from './head.ts'
import * as patch from './patch.ts'
import { FORMAT_NAME } from './tools.ts'
import { USAGE_BUCKETS } from './usage.ts'
import * as errors from './error.ts'
import * as events from './events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import { createTidier, tidyWholeReply } from './tidy.ts'
import * as watch from './watch.ts'
import * as writeRequest from './write-request.ts'

export const openaiChat = assembleDialect(
  {
    name: FORMAT_NAME,
    paths: ['/v1/chat/completions'],
    words: OPENAI_COST_SCANNER,
    usageKeys: ['usage'],
    modelKeys: ['model'],
    idPrefix: 'chatcmpl-',
    buckets: USAGE_BUCKETS,
    objects: chatObjectPlaces,
    tidy: { reply: tidyWholeReply, stream: createTidier },
  },
  { ...head, ...request, ...writeRequest, ...patch, ...watch, ...events, ...reply, ...errors },
)
