// Display of items that need attention.
import type { AttentionItem } from '../../core/attention/contract.ts'
import { rules, type Rule } from '../../core/attention/rules.ts'
import { quoteShellWord } from '../../core/contract/command-line.ts'
import { fillTemplate, words, type Words } from '../../core/errors.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { quotaText, type MoneyView } from '../format.ts'
import { count, money, number, text, word, type View } from '../view.ts'

const getRule = ({ kind }: AttentionItem): Rule => rules[kind]

/** Describes the item by its rule. */
export const describeFinding = (finding: AttentionItem, money: MoneyView): Words =>
  fillTemplate(getRule(finding).text, {
    ...finding,
    usd: `$${finding.usd.toFixed(2)}`,
    quota: quotaText(finding.quota, money),
  })

/** Returns the command that fixes the item, or shows its details. */
export const getRepairCommand = (finding: AttentionItem): string =>
  fillTemplate(words(getRule(finding).repair.command, ''), { id: finding.id, name: quoteShellWord(finding.name) }).en

const SEVERITIES = { error: words('error', '错误'), warning: words('warning', '警告') }
const TONES = { error: 'bad', warning: 'careful' } as const

export const findingView: View<AttentionItem> = {
  severity: word(words('SEVERITY', '级别'), 1, SEVERITIES, ({ severity }) => severity, {
    tone: ({ severity }) => TONES[severity],
  }),
  kind: text(words('WHAT', '事项'), 1, ({ kind }) => kind, {
    flexible: true,
    shown: (finding, { language, money: how }) => describeFinding(finding, how)[language],
  }),
  reason: text(words('WHY', '原因'), 2, ({ reason }) => reason || null, {
    flexible: true,
    shown: ({ reason }, { language }) => translateStoredFailure(reason, language),
  }),
  repair: text(words('WHAT TO DO', '处理办法'), 1, getRepairCommand),
  id: count(words('CHANNEL', '渠道'), 0, ({ id }) => id || null),
  name: text(words('NAME', '名称'), 0, ({ name }) => name || null),
  failed: count(words('FAILED', '失败次数'), 0, ({ failed }) => failed),
  tried: count(words('TRIED', '尝试次数'), 0, ({ tried }) => tried),
  keys: count(words('DEAD KEYS', '失效密钥'), 0, ({ keys }) => keys),
  calls: count(words('CALLS', '调用次数'), 0, ({ calls }) => calls),
  balance: number(words('LEFT AT THE PROVIDER $', '服务商处余额 $'), 0, ({ usd }) => usd),
  quota: money(words('LEFT', '余额'), 0, ({ quota }) => quota),
  paid: text(words('PAID', '支付金额'), 0, ({ paid }) => paid || null),
  price: text(words('PRICE', '订单金额'), 0, ({ price }) => price || null),
}
