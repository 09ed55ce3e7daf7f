// Headers that operators add to requests: as HTTP has them, so that nobody can smuggle a second one in.
import { z } from 'zod'
import { failWith } from './setting.ts'

/** What says where a request goes, how long it is, over which connection, and who asks and pays: nobody overrides that. */
const OURS =
  /^(host|connection|keep-alive|te|trailer|upgrade|expect|via|content-.*|transfer-encoding|accept-encoding|(proxy|sec)-.*|authorization|cookie|(x-)?api-key|x-goog-api-key|mj-api-secret|x-amz-.*|forwarded|x-forwarded-.*|x-real-ip)$/i

export const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, failWith('field.header'))
  .refine((name) => !OURS.test(name), failWith('setting.header'))

export const HeaderValue = z.string().regex(/^[\t\x20-\x7e]*$/, failWith('field.ascii'))
