// Settings of the network: what may be reached, and how often others may ask.
import { z } from 'zod'
import { json, setting } from './setting.ts'

const section = 'network'

/** Requests, and the seconds within which they are counted; 0 requests: no limit. */
const Rate = z.tuple([z.number().int().min(0), z.number().int().min(1).max(86_400)])

/** What is limited; each by the address asked from, some by the account too. */
export const ApiRates = z.object({
  api: Rate.default([180, 180]),
  login: Rate.default([20, 1200]),
  login_failures: Rate.default([10, 900]),
  login_account: Rate.default([30, 1800]),
  mail: Rate.default([5, 3600]),
  mail_recipient: Rate.default([20, 3600]),
  verification: Rate.default([10, 1200]),
  reset: Rate.default([10, 1200]),
  redemption: Rate.default([10, 300]),
  search: Rate.default([60, 60]),
})
export type ApiRates = z.infer<typeof ApiRates>

/** A site as browsers name it, or all below a name; nothing in it can end the header it is written in. */
const Origin = z.string().regex(/^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i)

export const network = {
  ApiRateLimits: setting<ApiRates>({
    value: json(ApiRates, ApiRates.parse({})),
    label: 'API rate limits',
    help: 'JSON of [requests, seconds] for api, login (each network), login_failures (wrong passwords and codes of one account from one network or known browser), login_account (of one account from everywhere), mail (codes and links to one recipient, asked for by one network), mail_recipient (to one recipient, asked for by everybody but browsers that the account knows), verification, reset, redemption and search; 0 requests: no limit. Wrong passwords beyond it are taken at its pace, one in every (seconds / requests)',
    section,
    writer: 'root',
  }),
  TrustedProxies: setting({
    value: json(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])), []),
    label: 'Trusted proxies',
    help: 'JSON list of addresses and networks of your own reverse proxies, such as "127.0.0.1". From these alone X-Forwarded-For and X-Forwarded-Proto say where a request comes from, and how',
    section,
    writer: 'root',
  }),
  AllowedNetworks: setting({
    value: json(z.array(z.union([z.cidrv4(), z.cidrv6()])), []),
    label: 'Private networks that may be reached',
    help: 'JSON list of networks such as "10.0.0.0/8" that webhooks, identity providers and links may point at. Channels need no entry',
    section,
    writer: 'root',
  }),
  FrameAncestors: setting({
    value: json(z.array(Origin), []),
    label: 'Sites that may show this one in a frame',
    help: 'JSON list of origins such as "https://portal.example" or "https://*.example". This site always may',
    section,
    writer: 'root',
  }),
}
