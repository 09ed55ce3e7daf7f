// The lists of drawings and tasks: everybody's for administrators, their own for users.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { newDrawing, newTask } from '../storage/samples.ts'

describeWithGateway('drawings and tasks', (weir) => {
  it('are listed ten to a page, the next page on its own, in a bare array', async () => {
    const { tasks } = weir.gateway.ports.storage
    const ada = await weir.addVisitor()
    for (let n = 0; n < 11; n++) {
      await tasks.add(newDrawing({ user_id: ada.user.id, mj_id: `m${n}` }))
      await tasks.add(newTask({ user_id: ada.user.id, task_id: `t${n}` }))
    }
    for (const [path, name] of [
      ['/api/mj/self', 'mj_id'],
      ['/api/task/self', 'task_id'],
    ] as const) {
      const first = (await ada.send('GET', `${path}?p=0`)).json
      expect(first).toMatchObject({ success: true, message: '' })
      expect(first.data).toHaveLength(10)
      expect(first.total).toBe(11)
      expect((await ada.send('GET', `${path}?p=0&page_size=20`)).json.data).toHaveLength(11)
      expect(first.data[0][name]).toMatch(/10$/)
      const second = (await ada.send('GET', `${path}/?p=1`)).json
      expect(second.data.map((row: Record<string, string>) => row[name])).toEqual([expect.stringMatching(/0$/)])
    }
  })

  it('of others, and the channels they went through, are shown to administrators alone', async () => {
    const { tasks } = weir.gateway.ports.storage
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    await tasks.add(newDrawing({ user_id: ada.user.id, mj_id: 'hers', channel_id: 900_031 }))
    await tasks.add(newTask({ user_id: ada.user.id, task_id: 'hers', channel_id: 900_031 }))
    expect(await bob.client.tasks.drawingsSelf({ mj_id: 'hers' })).toEqual({ data: [], total: 0 })
    expect(await bob.client.tasks.listSelf({ task_id: 'hers' })).toEqual({ data: [], total: 0 })
    const [own] = (await ada.client.tasks.drawingsSelf({ mj_id: 'hers' })).data
    expect(own).toMatchObject({ prompt: 'a weir', submit_time: 1_700_000_000_000 })
    expect(own).not.toHaveProperty('channel_id')
    const [task] = (await ada.client.tasks.listSelf({ task_id: 'hers' })).data
    expect(task).not.toHaveProperty('channel_id')
    const { client } = weir.root
    expect((await client.tasks.drawings({ channel_id: 900_031 })).data).toMatchObject([
      { mj_id: 'hers', channel_id: 900_031 },
    ])
    expect((await client.tasks.list({ channel_id: 900_031 })).data).toMatchObject([
      { task_id: 'hers', channel_id: 900_031 },
    ])
    expect((await client.tasks.list({ channel_id: 900_032 })).data).toEqual([])
  })

  it('show images through this server, unless the operator says otherwise', async () => {
    const { tasks } = weir.gateway.ports.storage
    const ada = await weir.addVisitor()
    await tasks.add(newDrawing({ user_id: ada.user.id, notify_key: 'secret' }))
    await weir.set('ServerAddress', 'https://weir.example')
    const image = async () => (await ada.client.tasks.drawingsSelf()).data[0]!.image_url
    expect(await image()).toBe('https://weir.example/mj/image/secret')
    await weir.set('MjForwardUrlEnabled', 'false')
    expect(await image()).toBe('https://proxy.example/1.png')
  })
})
