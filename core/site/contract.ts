import { z } from 'zod'
import { SignedIn } from '../auth/signed-in.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { setupFields } from './setup-fields.data.ts'
import type { PublicStatus } from './status.ts'

const text = z.string()

/** The form of the first setup. */
export const SetupForm = z.object(
  declareShapeFields(setupFields, {
    username: z.string().default(''),
    password: z.string().default(''),
    confirmPassword: z.string().default(''),
    SelfUseModeEnabled: z.boolean().default(false),
    DemoSiteEnabled: z.boolean().default(false),
    code: z.string().default(''),
  }),
)

const SetupStatus = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.string(),
  /** True where the submission must carry the one-time code printed in the terminal. */
  code_required: z.boolean(),
})

export const siteContract = {
  status: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    beforeSetup: true,
    summary: words('Public information about this server'),
    // Clients know its type alone: they start without all settings. `core/endpoints.ts` has the schema.
    reply: z.custom<PublicStatus>(),
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/status/test',
    access: 'admin',
    scope: 'read',
    summary: words('Whether the database answers; 503 where it does not'),
    reply: z.null(),
  }),
  gateway: endpoint({
    method: 'GET',
    path: '/api/status/gateway',
    access: 'admin',
    scope: 'read',
    summary: words(
      'How the gateway and its database are: kind, size, versions, processes, open holds and charges that wait',
    ),
    reply: z.object({
      database: z.enum(['sqlite', 'postgres']),
      database_version: z.string(),
      database_bytes: z.number(),
      /** The last step of its schema. */
      schema: z.string(),
      processes: z.number(),
      open_holds: z.number(),
      /** Of the process that answers the request. */
      owed_charges: z.number(),
      /** The proxy variables of that process, without passwords. */
      proxies: z.array(z.string()),
    }),
  }),
  setupStatus: endpoint({
    method: 'GET',
    path: '/api/setup',
    access: 'public',
    beforeSetup: true,
    summary: words('Whether Weir is set up, and what setting it up needs'),
    reply: SetupStatus,
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    beforeSetup: true,
    summary: words(
      'Set Weir up: the administrator account and the mode of use. With the one-time code, or by the terminal on the host',
    ),
    row: SetupStatus,
    body: SetupForm,
    reply: SignedIn,
  }),
  release: endpoint({
    method: 'GET',
    path: '/api/site/release',
    access: 'admin',
    scope: 'read',
    summary: words('The latest release, from the address in the setting, and whether it is newer than this version'),
    reply: z.object({ current: z.string(), tag_name: z.string(), body: z.string(), newer: z.boolean() }),
  }),
  notice: endpoint({
    method: 'GET',
    path: '/api/notice',
    access: 'public',
    summary: words('The site notice'),
    reply: text,
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/about',
    access: 'public',
    summary: words('The about page'),
    reply: text,
  }),
  home: endpoint({
    method: 'GET',
    path: '/api/home_page_content',
    access: 'public',
    summary: words('The home page; empty for the built-in one'),
    reply: text,
  }),
}
