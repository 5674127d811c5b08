import { expect, it } from 'vitest'
import { together } from './together.js'

const aborted = Object.assign(new Error('current transaction is aborted'), { code: '25P02' })

it('answers in the order of the statements', async () => {
  expect(await together([Promise.resolve(1), undefined, 'a'])).toEqual([1, undefined, 'a'])
})

it('waits for all statements, where one fails too, so that none is sent after the transaction', async () => {
  let sent = ''
  const later = async (): Promise<void> => {
    await new Promise((done) => setTimeout(done, 20))
    sent = 'sent'
  }
  await expect(together([Promise.reject(new Error('full')), later()])).rejects.toThrow('full')
  expect(sent).toBe('sent')
})

it('tells the failure that ended the transaction, and not those that followed from it', async () => {
  await expect(together([Promise.reject(aborted), Promise.reject(new Error('full'))])).rejects.toThrow('full')
  await expect(together([Promise.reject(aborted), 1])).rejects.toThrow('aborted')
})
