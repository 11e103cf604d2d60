using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.CodeGeneration;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>Makes requests that are answered once for each key of those that come with one. Thread-safe.</summary>
internal sealed class IdempotentCalls
{
    private readonly GrainPlaces _places;
    private readonly IServiceProvider _services;
    private readonly PolyjuiceOptions _options;
    private readonly IdempotencyClock _clock;
    private readonly Serializer _serializer;
    private readonly Serializer<OrleansTransactionAbortedException> _exceptions;
    private readonly Lazy<IGrainFactory> _grains;
    private readonly Lazy<bool> _lacksLog;

    public IdempotentCalls(
        GrainPlaces places,
        IOptions<PolyjuiceOptions> options,
        IOptions<GrainTypeOptions> classes,
        StateStorageResolver storages,
        IdempotencyClock clock,
        Serializer serializer,
        Serializer<OrleansTransactionAbortedException> exceptions,
        IServiceProvider services)
    {
        (_places, _options, _clock, _services) = (places, options.Value, clock, services);
        (_serializer, _exceptions) = (serializer, exceptions);
        _grains = new(services.GetRequiredService<IGrainFactory>);
        _lacksLog = new(() => storages.LacksLogsBeside(classes.Value.Classes));
    }

    /// <summary>By which records expire.</summary>
    public IdempotencyClock Clock => _clock;

    /// <summary>Reads and writes answers.</summary>
    public Serializer Serializer => _serializer;

    /// <summary>How long records are kept.</summary>
    public TimeSpan Retention => _options.IdempotencyRetention;

    /// <summary>Bytes of an answer, at the most.</summary>
    public int AnswerBytesMax => _options.IdempotentAnswerBytes;

    /// <summary>
    /// What to run for a request that starts a transaction: with a key, a request around it; without one, or where
    /// nothing is to be repeated because nothing is written, itself. The arguments are as they came.
    /// </summary>
    /// <param name="key">What the call has taken along as its key.</param>
    /// <param name="request">The request.</param>
    /// <param name="grain">Where it runs.</param>
    /// <exception cref="IdempotencyException">The call can't have a key, or not this one.</exception>
    public TransactionRequestBase Of(object? key, TransactionRequestBase request, IGrainContext grain)
    {
        if (key is null || request.Options.HasFlag(InvokeMethodOptions.ReadOnly)) return request;
        if (key is not string text)
            throw BadKey($"An idempotency key is a text, and not a {key.GetType()}.");
        if (IdempotencyKey.ProblemOf(text) is { } problem) throw BadKey(problem);
        if (_lacksLog.Value)
        {
            throw new IdempotencyException(
                "", IdempotencyFailure.NoLog,
                "This silo keeps states with storage providers, and no logs were added to it: an idempotency key would "
                + "be in its memory, and be forgotten while the call's effects stay. Add logs that outlive it, such as "
                + "AddFileLogAsDefault(), or say that none are needed, by AddMemoryLogAsDefault().");
        }

        return new IdempotentRequest(this, text, grain, request, _exceptions, _services);
    }

    /// <summary>The pages of a call.</summary>
    /// <param name="call">Its name.</param>
    /// <param name="grain">The grain that is called.</param>
    public AnswerPages PagesOf(Guid call, GrainId grain) =>
        new(_grains.Value, call, _places.PartitionOf(grain), _places.Partitions);

    /// <summary>The page in which a call's record most likely is.</summary>
    /// <param name="call">Its name.</param>
    /// <param name="grain">The grain that is called.</param>
    public GrainId FirstPageOf(Guid call, GrainId grain) => GrainId.Create(
        IdempotencyKeys.Type, PageNames.KeyOf(call, 0, _places.PartitionOf(grain), _places.Partitions));

    private static IdempotencyException BadKey(string problem) => new("", IdempotencyFailure.BadKey, problem);
}
