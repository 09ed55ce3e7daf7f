// Custom (full URL): any address with OpenAI's format, used unchanged for every request.
import { openaiVideosTasks } from '../dialects/tasks/openai-videos.ts'
import { words } from '../errors.ts'
import { fetchOpenaiBalance } from './balance.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider, type EndpointCall } from './provider.ts'

const path = ({ base, model }: EndpointCall): string => base.replaceAll('{model}', encodeURIComponent(model))

/** The part of the full URL that precedes the paths of OpenAI's API. */
const getServer = ({ base_url }: { base_url: string }): string =>
  /^(.+?)\/v1(\/|$)/.exec(base_url)?.[1] ?? new URL(base_url).origin

export const custom = provider({
  type: 8,
  id: 'custom',
  name: 'Custom (full URL)',
  base_url: '',
  thoughts: 'by_model',
  whole_address: true,
  tasks: [{ dialect: openaiVideosTasks }],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS, { path }),
  balance: (ask, channel, now) => fetchOpenaiBalance((way) => ask(getServer(channel) + way), channel, now),
  fields: {
    base_url: {
      label: words('Full URL; {model} is replaced'),
      placeholder: 'https://host/path/{model}',
      required: true,
    },
  },
})
