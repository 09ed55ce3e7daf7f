// Settings of the network: what may be reached, and how often others may ask.
import { field, ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { z } from 'zod'
import { flag, json, setting } from './setting.ts'

const requests = field(z.number().int().min(0), {
  label: words('Requests'),
  help: words('Number of requests allowed within the seconds'),
  zero: ZERO_IS_NO_LIMIT,
})

/** Requests, and the seconds within which they are counted. */
const Rate = z.tuple([requests, z.number().int().min(1).max(86_400)])

/** The rate limits, each by client address, some by account as well. */
export const ApiRateSettings = z.object({
  api: Rate.default([180, 180]),
  login: Rate.default([20, 1200]),
  login_failures: Rate.default([10, 900]),
  login_account: Rate.default([30, 1800]),
  mail: Rate.default([5, 3600]),
  mail_recipient: Rate.default([20, 3600]),
  mail_code: Rate.default([30, 3600]),
  verification: Rate.default([10, 1200]),
  reset: Rate.default([10, 1200]),
  redemption: Rate.default([10, 300]),
  search: Rate.default([60, 60]),
  reads: Rate.default([1200, 60]),
})
export type ApiRateSettings = z.infer<typeof ApiRateSettings>

/** A site as browsers name it, or all below a name; nothing in it can end the header it is written in. */
const Origin = z.string().regex(/^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i)

export const networkSettings = {
  ApiRateLimits: setting<ApiRateSettings>({
    value: json(ApiRateSettings, ApiRateSettings.parse({})),
    label: words('API rate limits'),
    help: words(
      'JSON of [requests, seconds]; 0 requests: no limit. api and login by network; login_failures and login_account: wrong passwords and codes, which are then accepted at this rate; mail, mail_recipient and mail_code: emails and the codes in them; search and reads (of stored responses, tasks, files) by user',
    ),
    card: 'system.network',
    order: 10,
    writer: 'root',
  }),
  TrustedProxies: setting({
    value: json(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])), []),
    label: words('Trusted proxies'),
    help: words(
      'JSON list of networks of your reverse proxies, such as "127.0.0.1". X-Forwarded-For and X-Forwarded-Proto count only from these',
    ),
    card: 'system.network',
    order: 20,
    danger: words('Requests from these addresses may claim any client address.'),
    writer: 'root',
  }),
  AllowedNetworks: setting({
    value: json(z.array(z.union([z.cidrv4(), z.cidrv6()])), []),
    label: words('Private networks that may be reached'),
    help: words('JSON list of networks such as "10.0.0.0/8" that webhooks, identity providers and links may point at'),
    card: 'system.network',
    order: 30,
    danger: words('Users can make the server reach what is there.'),
    writer: 'root',
  }),
  ChannelNetworks: setting({
    value: json(z.array(z.union([z.cidrv4(), z.cidrv6()])), []),
    label: words("Private networks of administrators' channels"),
    help: words(
      'JSON list of networks that a channel may reach whose address an administrator set last. Other channels reach all',
    ),
    card: 'system.network',
    order: 32,
    danger: words(
      'Administrators can make the server reach these networks. List a proxy only if it refuses private networks itself.',
    ),
    writer: 'root',
  }),
  'relay.share_request_ids': setting({
    value: flag(false),
    label: words('Share request ids'),
    help: words(
      'The id in X-Request-Id (8 to 128 letters, digits and . _ : -) is that of the request: in its log row, error and trace, and for providers',
    ),
    card: 'system.network',
    order: 35,
    danger: words('Callers may give several calls the same id.'),
    dangerAt: true,
    writer: 'root',
  }),
  FrameAncestors: setting({
    value: json(z.array(Origin), []),
    label: words('Sites that may show this one in a frame'),
    help: words('JSON list of origins such as "https://portal.example" or "https://*.example". This site always may'),
    card: 'system.network',
    order: 40,
    writer: 'root',
  }),
}
