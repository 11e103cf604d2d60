using System.Buffers;
using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;
using Orleans.Serialization;
using Orleans.Serialization.Buffers;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.WireProtocol;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Where a letter can't be handed on.</summary>
public enum LetterFault
{
    /// <summary>It can.</summary>
    None,

    /// <summary>Its copier throws, which the caller's silo runs.</summary>
    Copied,

    /// <summary>Its codec throws while it is read as an argument.</summary>
    Read,

    /// <summary>Its codec throws while it is written as an argument.</summary>
    Written,
}

/// <summary>An argument whose copier or codec throws.</summary>
public sealed class Letter
{
    public LetterFault Fault { get; init; }

    public Guid Number { get; init; }
}

public interface ILetterDesk : IGrainWithIntegerKey
{
    /// <summary>Updates its own state, and sends a letter to a slot.</summary>
    [Transaction(TransactionOption.Create)]
    Task Send(long slot, LetterFault fault, Guid number);

    /// <summary>Updates its own state, and asks a slot for a letter.</summary>
    [Transaction(TransactionOption.Create)]
    Task Fetch(long slot, LetterFault fault, Guid number);
}

public interface ILetterSlot : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Put(Letter letter);

    [Transaction(TransactionOption.Join)]
    Task<Letter> Take(LetterFault fault, Guid number);
}

/// <summary>Throws as the letter says, and counts that.</summary>
[RegisterSerializer, RegisterCopier]
public sealed class LetterCodec : IFieldCodec<Letter>, IDeepCopier<Letter>
{
    private static readonly ConcurrentDictionary<Guid, int> s_tries = new();

    /// <summary>How often the step that fails was tried.</summary>
    public static int Tries(Guid number) => s_tries.GetValueOrDefault(number);

    public Letter? DeepCopy(Letter? input, CopyContext context) =>
        input is null ? null : Pass(input, LetterFault.Copied);

    public void WriteField<TBufferWriter>(
        ref Writer<TBufferWriter> writer, uint fieldIdDelta, Type? expectedType, Letter? value)
        where TBufferWriter : IBufferWriter<byte>
    {
        if (value is not null) Pass(value, LetterFault.Written);
        StringCodec.WriteField(ref writer, fieldIdDelta, $"{value?.Number} {value?.Fault}");
    }

    public Letter ReadValue<TInput>(ref Reader<TInput> reader, Field field)
    {
        var parts = StringCodec.ReadValue(ref reader, field)!.Split(' ');
        return Pass(
            new Letter { Number = Guid.Parse(parts[0]), Fault = Enum.Parse<LetterFault>(parts[1]) }, LetterFault.Read);
    }

    private static Letter Pass(Letter letter, LetterFault fault)
    {
        if (letter.Fault != fault) return letter;
        s_tries.AddOrUpdate(letter.Number, 1, static (_, tries) => tries + 1);
        throw new NotSupportedException($"A letter can't be {fault}.");
    }
}

[Reentrant]
public sealed class LetterDeskGrain(
    [TransactionalState("sent")] ITransactionalState<Balance> sent) : Grain, ILetterDesk
{
    public async Task Send(long slot, LetterFault fault, Guid number)
    {
        await sent.PerformUpdate(state => state.Value++);
        await GrainFactory.GetGrain<ILetterSlot>(slot).Put(new() { Fault = fault, Number = number });
    }

    public async Task Fetch(long slot, LetterFault fault, Guid number)
    {
        await sent.PerformUpdate(state => state.Value++);
        await GrainFactory.GetGrain<ILetterSlot>(slot).Take(fault, number);
    }
}

[Reentrant]
public sealed class LetterSlotGrain(
    [TransactionalState("letters")] ITransactionalState<Balance> letters) : Grain, ILetterSlot
{
    public Task Put(Letter letter) => letters.PerformUpdate(state => state.Value++);

    public async Task<Letter> Take(LetterFault fault, Guid number)
    {
        await letters.PerformUpdate(state => state.Value--);
        return new() { Fault = fault, Number = number };
    }
}
