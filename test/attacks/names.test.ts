// New user names contain nothing hidden, and do not resemble the name of another user.
import { expect, it } from 'vitest'
import { CONFUSABLES } from '../../core/users/confusables.data.ts'
import { toLookalikeKey } from '../../core/users/name.ts'
import { describeWithGateway } from '../support/gateway.ts'

const HIDDEN = [
  '\u0007',
  '\u001b',
  '\u009b',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\ue000',
  '\ufdd0',
]
/** Not drawn, or only with what stands before it. */
const UNDRAWN = ['\u3164', '\ufe0f', '\u2800', '\u034f']
const LOOKALIKES = ['аlice', 'Αlice', 'alicе', 'ALIСЕ', 'ɑlice', 'ａｌｉｃｅ', 'аӏісе', 'alıce', 'alісe']

describeWithGateway('a new name', (weir) => {
  const password = 'a long password'
  /** Every way to get a name. */
  const ways = async () => {
    const ada = await weir.addVisitor()
    const { user } = await weir.addUser()
    return {
      register: (username: string) =>
        weir.visitor().send('POST', '/api/user/register', { body: { username, password } }),
      create: (username: string) => weir.root.send('POST', '/api/user/', { body: { username, password } }),
      update: (username: string) => weir.root.send('PUT', '/api/user/', { body: { id: user.id, username } }),
      updateSelf: (username: string) => ada.send('PUT', '/api/user/self', { body: { username } }),
    }
  }

  it('has no hidden characters and no @, whoever gives it', async () => {
    for (const [way, name] of Object.entries(await ways())) {
      for (const bad of [...[...HIDDEN, ...UNDRAWN].map((hidden) => `a${hidden}b`), 'a@b', '@', 'ada@x.io']) {
        expect((await name(bad)).json.code, `${way} ${JSON.stringify(bad)}`).toBe('user.limits')
      }
      expect((await name(`é 渠 ${way.slice(-6)}`)).json.success, way).toBe(true)
    }
  })

  it('does not look like one that somebody has, or had, in either direction', async () => {
    for (const username of ['Alice', 'pаypal', 'сосо', 'jоsé', 'Ðora'])
      await weir.root.client.users.create({ username, password })
    const { users } = weir.gateway.ports.storage
    const id = (await users.findByLogin('alice'))!.user.id
    await weir.changeUser((await users.findByLogin('сосо'))!.user.id, { deleted_at: 1 })
    for (const [way, name] of Object.entries(await ways())) {
      for (const alike of [...LOOKALIKES, 'alice', 'paypal', 'PayPal', 'coco', 'José', 'josÉ', 'ðora', 'ÐORA']) {
        expect((await name(alike)).json.code, `${way} ${alike}`).toBe('user.name_taken')
      }
    }
    // A word of another alphabet that looks like nobody's is anybody's, and so is one's own in another writing.
    for (const username of ['сергей', '渠道', 'Zoë', 'bob1', 'bobl', '하늘'])
      await weir.root.client.users.create({ username, password })
    expect((await weir.root.send('PUT', '/api/user/', { body: { id, username: 'аlice' } })).json.success).toBe(true)
    expect((await weir.root.send('PUT', '/api/user/', { body: { id, username: 'Alice' } })).json.success).toBe(true)
  })

  it('that looks like another one given in the same instant is given to one of them', async () => {
    const { register, create, update, updateSelf } = await ways()
    const given = async (asked: Promise<{ json: { success: boolean } }>[]) =>
      (await Promise.all(asked)).filter(({ json }) => json.success).length
    for (const [word, alike] of Object.entries({ cope: 'соре', pace: 'расе', exec: 'ехес', soap: 'soар' }))
      expect(await given([register(word), register(alike)]), word).toBe(1)
    expect(await given([create('race'), update('rасе'), updateSelf('rаce')])).toBe(1)
  })

  it('looks like every other writing of it', () => {
    const signs = CONFUSABLES.trim().split(/\s+/)
    let tried = 0
    for (let at = 0; at < signs.length; at += 2) {
      for (const sign of signs[at + 1]!) {
        expect(toLookalikeKey(`x${sign}x`), sign).toBe(toLookalikeKey(`X${signs[at]!}x`))
        tried++
      }
    }
    expect(tried).toBeGreaterThan(2000)
    for (const [one, other] of [
      ['ada', 'ａｄａ'],
      ['ada', '𝐚𝒹𝖆'],
      ['straße', 'STRAßE'],
      ['kat', 'каt'],
      ['НОМЕ', 'home'],
      ['mail', 'rnail'],
      ['Å', 'Å'],
      ['a\u034fb', 'ab'],
    ] as const) {
      expect(toLookalikeKey(one), one).toBe(toLookalikeKey(other))
    }
    for (const [one, other] of [
      ['ada', 'adb'],
      ['josé', 'jose'],
      ['渠', '道'],
      ['и', 'n'],
      ['日', '目'],
    ] as const) {
      expect(toLookalikeKey(one), one).not.toBe(toLookalikeKey(other))
    }
  })

  it('to be shown has nothing hidden either; one that was there before may stay', async () => {
    const ada = await weir.addVisitor()
    const old = 'was\u202ehere'
    await weir.changeUser(ada.user.id, { display_name: old })
    for (const hidden of HIDDEN) {
      for (const [who, body] of [
        [ada, { display_name: `a${hidden}b` }],
        [weir.root, { id: ada.user.id, display_name: `a${hidden}b` }],
      ] as const) {
        const path = who === ada ? '/api/user/self' : '/api/user/'
        expect((await who.send('PUT', path, { body })).json.code, JSON.stringify(hidden)).toBe('user.limits')
      }
    }
    expect((await ada.send('PUT', '/api/user/self', { body: { display_name: old } })).json.success).toBe(true)
  })
})
