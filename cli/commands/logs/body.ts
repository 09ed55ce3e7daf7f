// `weir logs body`: what was sent and answered in an own call, opened here.
import type { BodyContent } from '../../../core/bodies/kept-body.ts'
import { words } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { bodyContentView, contentWords } from '../../nouns/kept-body.ts'
import { opensWith } from '../../references.ts'

export const body = command({
  name: 'body',
  looks: true,
  gives: { view: bodyContentView, many: false },
  summary: words(
    'What was sent and answered in an own call, where it is kept (`weir bodies on`)',
    '自己的一次调用的请求与回答，须已保存（`weir bodies on`）',
  ),
  arguments: { request: { spec: '<request id>', help: words('id of the request', '请求编号') } },
  options: {
    identityFile: {
      flag: '--identity-file <file>',
      help: words('the secret key of age that opens it; it stays here', '用于打开内容的 age 私钥文件；不会离开本机'),
    },
  },
  async run({ client, print, args, options }) {
    const file = options.identityFile
    if (file === undefined) throw new UsageError(words('Say --identity-file.', '请指定 --identity-file。'))
    const opens = await opensWith(file)
    const { sealed } = await (await client()).bodies.get({ request_id: args.request })
    const content = JSON.parse(await opens(sealed)) as BodyContent
    await print.done(content, bodyContentView, { human: contentWords(content), bare: content.request_id })
  },
})
