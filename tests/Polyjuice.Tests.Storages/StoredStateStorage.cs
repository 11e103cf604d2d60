using System.Collections.Immutable;
using Orleans.Runtime;
using Orleans.Storage;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Tests.Storages;

/// <summary>
/// Transactional state storage over <see cref="StoredRows"/> that splits a store into steps, as providers on tables do:
/// prepared states go and come, then metadata and the committed number change together, then obsolete states go. Each
/// is conditional on the ETag, and changes it.
/// </summary>
public sealed class StoredStateStorage<T>(
    StoredRows rows, IGrainStorageSerializer serializer,
    string key) : ITransactionalStateStorage<T> where T : class, new()
{
    private string? _etag;
    private StoredState _content = StoredState.Empty;

    public async Task<TransactionalStorageLoadResponse<T>> Load()
    {
        await rows.At(StorageMoment.BeforeRead, key);
        var (etag, content) = rows.Read(key);
        (_etag, _content) = (etag, (StoredState?)content ?? StoredState.Empty);
        if (_etag is null) return new();
        return new(
            _etag,
            _content.Committed == 0 ? new T() : Read(_content.States[_content.Committed]).State,
            _content.Committed,
            serializer.Deserialize<TransactionalStateMetaData>(_content.Metadata)!,
            [.. _content.States.Where(state => state.Key > _content.Committed).Select(state => Read(state.Value))]);
    }

    public async Task<string> Store(
        string? expectedETag, TransactionalStateMetaData metadata, List<PendingTransactionState<T>>? statesToPrepare,
        long? commitUpTo, long? abortAfter)
    {
        if (expectedETag != _etag)
            throw new ArgumentException(
                $"The ETag is {expectedETag}, and the last one of {key} is {_etag}.", nameof(expectedETag));
        var data = serializer.Serialize(metadata);
        var prepared = (statesToPrepare ?? []).ToDictionary(
            state => state.SequenceId, state => serializer.Serialize(state));
        await rows.At(StorageMoment.BeforeWrite, key);
        var states = _content.States.RemoveRange(_content.States.Keys.Where(number => number > abortAfter)).SetItems(
            prepared);
        if (_content.Metadata.IsEmpty || states != _content.States)
        {
            Write(
                _content with
                {
                    States = states,
                    Metadata = _content.Metadata.IsEmpty
                        ? serializer.Serialize(new TransactionalStateMetaData())
                        : _content.Metadata
                });
            await rows.At(StorageMoment.BetweenWrites, key);
        }

        var committed = Math.Max(_content.Committed, commitUpTo ?? 0);
        if (committed > 0 && !_content.States.ContainsKey(committed))
            throw new InvalidOperationException(
                $"There is no prepared state {committed} of {key} that could be committed.");
        Write(_content with { Metadata = data, Committed = committed });
        if (_content.States.Keys.Any(number => number < committed))
        {
            await rows.At(StorageMoment.BetweenWrites, key);
            Write(
                _content with
                {
                    States = _content.States.RemoveRange(_content.States.Keys.Where(number => number < committed))
                });
        }

        await rows.At(StorageMoment.AfterWrite, key);
        return _etag!;
    }

    private void Write(StoredState content)
    {
        _etag = rows.Write(key, _etag, content);
        _content = content;
    }

    private PendingTransactionState<T> Read(BinaryData state) =>
        serializer.Deserialize<PendingTransactionState<T>>(state)!;
}

/// <summary>Opens <see cref="StoredStateStorage{T}"/>.</summary>
public sealed class StoredStateStorageFactory(
    StoredRows rows, IGrainStorageSerializer serializer) : ITransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(
        string stateName, IGrainContext context) where TState : class, new() =>
        new StoredStateStorage<TState>(rows, serializer, StoredGrainStorage.Key(stateName, context.GrainId));
}
