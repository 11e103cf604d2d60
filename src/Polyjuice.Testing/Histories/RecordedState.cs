using System.Buffers;
using Orleans.Serialization;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Testing;

/// <summary>
/// A transactional state that notes what each access saw and wrote: data, and nothing of what the engine thinks. On its
/// grain's turn, but for the functions, which run where the engine runs them.
/// </summary>
internal sealed class RecordedState<T>(
    ITransactionalState<Stamped<T>> inner, HistoryRecorder recorder, string key, Serializer<T> serializer)
    : ITransactionalState<T> where T : class, new()
{
    /// <inheritdoc/>
    public Task<TResult> PerformRead<TResult>(Func<T, TResult> readFunction)
    {
        ArgumentNullException.ThrowIfNull(readFunction);
        return recorder.Begin(key) is { } step
            ? ReadAsync(step, readFunction)
            : inner.PerformRead(state => readFunction(state.Value));
    }

    /// <inheritdoc/>
    public Task<TResult> PerformUpdate<TResult>(Func<T, TResult> updateFunction)
    {
        ArgumentNullException.ThrowIfNull(updateFunction);
        return recorder.Begin(key) is { } step
            ? UpdateAsync(step, updateFunction)
            : inner.PerformUpdate(state => updateFunction(state.Value));
    }

    private async Task<TResult> ReadAsync<TResult>(RecordedStep step, Func<T, TResult> function)
    {
        try
        {
            var (result, sight) = await inner.PerformRead(state =>
            {
                var seen = step.Read(state);
                return (function(state.Value), seen);
            });
            step.Succeeded(sight);
            return result;
        }
        catch
        {
            step.Failed();
            throw;
        }
    }

    private async Task<TResult> UpdateAsync<TResult>(RecordedStep step, Func<T, TResult> function)
    {
        try
        {
            var (result, sight) = await inner.PerformUpdate(state =>
            {
                var seen = step.Read(state);
                var answer = function(state.Value);
                var content = new ArrayBufferWriter<byte>();
                serializer.Serialize(state.Value, content);
                return (answer, step.Update(seen, state, content.WrittenSpan));
            });
            step.Succeeded(sight);
            return result;
        }
        catch
        {
            step.Failed();
            throw;
        }
    }
}
