// An answer that was cut: its prompt is counted as the model would, not by its letters.
import { expect, it } from 'vitest'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const PROMPTS = {
  code: 'for (const [at, one] of list.entries()) { if (one?.id !== at) { throw new Error(`${at}: ${one}`) } }\n'.repeat(
    30,
  ),
  chinese: '数据库连接失败时,请检查网络设置并稍后重试。'.repeat(40),
}

describeWithGateway('the prompt of a cut answer', (weir) => {
  it.each(Object.entries(PROMPTS))('of %s has as many tokens as that of a whole one', async (_, content) => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 10_000_000 })
    const messages = [{ role: 'user', content }]
    // The thread that counts starts when it is first needed, which may take longer than a cut answer waits.
    await eventually(
      async () => {
        weir.upstream.reply(chatReply('Hello'))
        await ada.chat({ messages })
        weir.upstream.reply(chatStream(['Hello ', 'there'], undefined, { reset: 2, gap_ms: 20 }))
        await ada.chat({ messages, stream: true }).catch(() => undefined)
        return (await ada.logs()).slice(0, 2)
      },
      ([cut, whole]) => cut !== undefined && cut.is_stream && cut.prompt_tokens === whole?.prompt_tokens,
      20_000,
    )
    const [cut, whole] = await ada.logs()
    expect(JSON.parse(cut!.other)).toMatchObject({ estimated: true, estimated_by: 'tokenizer' })
    expect(JSON.parse(cut!.other).cut_short).toBeDefined()
    expect(cut!.prompt_tokens).toBe(whole!.prompt_tokens)
  })
})
