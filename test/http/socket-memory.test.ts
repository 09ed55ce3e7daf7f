// The answers that open sockets remember: the newest one of each lane, within budgets of bytes.
import { describe, expect, it } from 'vitest'
import { SocketMemory, type LaneAnswers } from '../../http/socket-memory.ts'

const KIB = 1024

describe('the answers of sockets', () => {
  const answer = (id: string, bytes = 10) => ({
    id,
    answer: { input: [{ type: 'message', content: 'x'.repeat(bytes) }], response: { id, output: [], tools: [] } },
    borrowed: false,
  })
  const keep = (answers: LaneAnswers, lane: string, id: string, bytes?: number) =>
    answers.lane(lane).keep(answer(id, bytes))
  const found = (answers: LaneAnswers, ...ids: string[]) =>
    ids.filter((id) => answers.lane('any').find(id) !== undefined)

  it('are the newest of each lane, found from every lane of the socket and from no other', () => {
    const memory = new SocketMemory()
    const [one, other] = [memory.open(1), memory.open(1)]
    keep(one, 'a', 'a1')
    keep(one, 'b', 'b1')
    keep(one, 'a', 'a2')
    expect(found(one, 'a1', 'a2', 'b1')).toEqual(['a2', 'b1'])
    expect(found(other, 'a1', 'a2', 'b1')).toEqual([])
    expect(one.lane('b').find('a2')).toEqual({
      ...answer('a2'),
      answer: { input: answer('a2').answer.input, response: { id: 'a2', output: [] } },
    })
    one.forget('a2')
    expect(found(one, 'a2', 'b1')).toEqual(['b1'])
    one.close()
    expect(found(one, 'b1')).toEqual([])
  })

  it('leave their user’s budget by the longest unused, and nobody else’s', () => {
    const memory = new SocketMemory(10 * KIB, 100 * KIB)
    const [ada, bob] = [memory.open(1), memory.open(2)]
    keep(bob, 'a', 'bob', 4 * KIB)
    for (const lane of ['a', 'b', 'c']) keep(ada, lane, lane, 3 * KIB)
    expect(found(ada, 'a', 'b', 'c')).toEqual(['a', 'b', 'c'])
    // `a` is used: `b` is the longest unused now.
    expect(found(ada, 'a')).toEqual(['a'])
    keep(ada, 'd', 'd', 3 * KIB)
    expect(found(ada, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    expect(found(bob, 'bob')).toEqual(['bob'])
    keep(ada, 'e', 'e', 20 * KIB)
    expect(found(ada, 'a', 'c', 'd', 'e')).toEqual([])
    expect(found(bob, 'bob')).toEqual(['bob'])
  })

  it('leave the budget of the process, whoever they are', () => {
    const memory = new SocketMemory(100 * KIB, 10 * KIB)
    const sockets = [1, 2, 3, 4].map((user) => memory.open(user))
    sockets.forEach((socket, at) => keep(socket, 'a', `answer ${at}`, 3 * KIB))
    expect(sockets.map((socket, at) => found(socket, `answer ${at}`).length)).toEqual([0, 1, 1, 1])
    for (const socket of sockets) socket.close()
    keep(sockets[0]!, 'a', 'again', 9 * KIB)
    expect(found(sockets[0]!, 'again')).toEqual(['again'])
  })
})
