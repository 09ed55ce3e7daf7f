// New names of users: nothing hidden in them, and nobody looks like somebody else.
import { expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'

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
const LOOKALIKES = ['аlice', 'Αlice', 'alicе', 'ALIСЕ', 'ɑlice', 'ａｌｉｃｅ', 'аӏісе', 'alıce', 'alісe']

describeBothGateways('a new name', (weir) => {
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
      for (const bad of [...HIDDEN.map((hidden) => `a${hidden}b`), 'a@b', '@', 'ada@x.io']) {
        expect((await name(bad)).json.code, `${way} ${JSON.stringify(bad)}`).toBe('user.limits')
      }
      expect((await name(`é 渠 ${way.slice(-6)}`)).json.success, way).toBe(true)
    }
  })

  it('does not look like one that somebody has', async () => {
    await weir.root.client.users.create({ username: 'Alice', password })
    for (const [way, name] of Object.entries(await ways())) {
      for (const alike of [...LOOKALIKES, 'alice']) {
        expect((await name(alike)).json.code, `${way} ${alike}`).toBe('user.name_taken')
      }
    }
    // A word of another alphabet that looks like nobody's is anybody's.
    await weir.root.client.users.create({ username: 'сергей', password })
    await weir.root.client.users.create({ username: 'josé', password })
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
