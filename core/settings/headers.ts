// Validates headers that operators add to requests by the rules of HTTP, so that a value cannot inject a second header.
import { z } from 'zod'
import { failWithCode } from './setting.ts'

/** Headers for the destination, length, connection, sender and payer of a request, which cannot be overridden. */
const OURS =
  /^(host|connection|keep-alive|te|trailer|upgrade|expect|via|content-.*|transfer-encoding|accept-encoding|(proxy|sec)-.*|authorization|cookie|(x-)?api-key|x-goog-api-key|mj-api-secret|x-amz-.*|forwarded|x-forwarded-.*|x-real-ip)$/i

export const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, failWithCode('field.header'))
  .refine((name) => !OURS.test(name), failWithCode('setting.header'))

export const HeaderValue = z.string().regex(/^[\t\x20-\x7e]*$/, failWithCode('field.ascii'))
