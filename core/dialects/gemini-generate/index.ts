// Google's generateContent and streamGenerateContent, Gemini's format. The model is part of the address.
import { codec } from '../codec.ts'
import { promptCount } from './count.ts'
import { NAME } from './fields.ts'
import { objects } from './objects.ts'
import { BUCKETS, withUsage } from './usage.ts'
import { WORDS } from './words.ts'
import * as errors from './error.ts'
import * as events from './events.ts'
import * as head from './head.ts'
import * as patch from './patch.ts'
import * as proofs from './proofs.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writeRequest from './write-request.ts'

export const geminiGenerate = codec(
  {
    name: NAME,
    paths: ['/v1beta/models/{model}:generateContent', '/v1beta/models/{model}:streamGenerateContent'],
    words: WORDS,
    usageKeys: ['usageMetadata', 'usage_metadata'],
    modelKeys: ['modelVersion'],
    idPrefix: '',
    buckets: BUCKETS,
    proves: true,
    count: promptCount,
    objects,
    withUsage,
    finalStatus: errors.FINAL_STATUS,
  },
  { ...head, ...request, ...writeRequest, ...proofs, ...patch, ...watch, ...events, ...reply, ...errors },
)
