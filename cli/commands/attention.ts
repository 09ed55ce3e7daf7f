// `weir attention`: problems that need attention, each with the command that fixes it.
import { words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { findingView } from '../nouns/finding.ts'

export const attention = command({
  name: 'attention',
  readOnly: true,
  output: { view: findingView, many: true },
  summary: words(
    'Items that need attention: channels, keys, prices, balances, each with its remedy',
    '需要优先处理的事项：渠道、密钥、价格、余额，各附处理办法',
  ),
  details: words(
    'By the same rules as on the dashboard. Administrators see what is of the gateway, others what is theirs.',
    '与数据看板的规则相同。管理员看到网关的事项，其他人只见自己的。',
  ),
  async run({ client, print }) {
    const weir = await client()
    await print.list(await weir.attention.list(), findingView, {
      empty: words('Nothing needs attention.', '没有需要处理的事项。'),
    })
  },
})
