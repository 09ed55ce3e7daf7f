// `weir export`: the configuration as a file.
import { words } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { stateText } from '../../state-file.ts'

export const exportState = command({
  name: 'export',
  looks: true,
  summary: words(
    'Print the whole configuration as a file: weir export > weir.yaml',
    '将全部配置输出为文件：weir export > weir.yaml',
  ),
  details: words(
    'Settings and prices that are not as they came with Weir, groups, channels, sign-in services, teams and redemption codes. Secrets are references (${ENV:NAME}); write ${file:PATH} instead where a file holds one, or seal them all with --seal-to, so that the file holds everything and only the owner of that age key can apply it (weir apply --identity).\nKeep it under version control: weir plan weir.yaml says what a change of it would do.',
    '包含与默认值不同的设置和价格，以及分组、渠道、登录服务、团队与兑换码。机密内容为引用（${ENV:变量名}）；若由文件保存，可改写为 ${file:路径}；也可用 --seal-to 全部密封，文件自身即完整，且只有该 age 密钥的所有者能应用（weir apply --identity）。\n请纳入版本管理：weir plan weir.yaml 显示修改会带来什么。',
  ),
  options: {
    sealTo: {
      flag: '--seal-to <recipient>',
      help: words('seal secrets for this age recipient (age1…)', '为此 age 接收方（age1…）密封机密内容'),
    },
    people: {
      flag: '--people',
      help: words('with users, their API tokens, and members of teams', '包含用户、其 API 令牌与团队成员'),
    },
    schema: {
      flag: '--schema',
      help: words('print the JSON schema of such files instead', '改为输出此类文件的 JSON Schema'),
    },
  },
  async run({ client, print, options, language }) {
    if (options.schema) {
      const { documentSchema } = await import('../../../core/state/document.ts')
      const schema = documentSchema()
      return print.text(JSON.stringify(schema, null, 2), schema)
    }
    const { document, comments } = await (
      await client()
    ).state.export({ seal_to: options.sealTo ?? '', people: options.people === true })
    await print.text((await stateText(document, comments, language)).trimEnd(), document)
  },
})
