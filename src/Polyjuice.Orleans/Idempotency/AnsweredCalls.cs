using Orleans;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>One page of records: those of some keys of some grains whose log partition is the same.</summary>
[GenerateSerializer, Alias("Polyjuice.AnsweredCalls")]
internal sealed class AnsweredCalls
{
    /// <summary>Records that a page takes, at the most.</summary>
    public const int CallsMax = 32;

    /// <summary>Bytes of answers that a page takes, at the most, unless it holds one alone.</summary>
    public const int BytesMax = 32 << 10;

    /// <summary>The records, in the order in which they came.</summary>
    [Id(0)]
    public List<AnsweredCall> Calls { get; set; } = [];

    /// <summary>Whether pages below this one have been used: what is not here may be there.</summary>
    [Id(1)]
    public bool HasMore { get; set; }

    /// <summary>Looks for a record.</summary>
    /// <param name="name">Of the call.</param>
    /// <param name="now">Ticks of UTC.</param>
    public PageLook Find(Guid name, long now)
    {
        AnsweredCall? found = null;
        var (calls, bytes) = (0, 0);
        foreach (var call in Calls)
        {
            if (call.ExpiresAt <= now) continue;
            calls++;
            bytes += call.Answer.Length;
            if (call.Name == name) found = call;
        }

        return new(found, calls, bytes, HasMore);
    }

    /// <summary>Adds a record, in the place of those that have expired.</summary>
    /// <param name="call">The record.</param>
    /// <param name="now">Ticks of UTC.</param>
    public void Keep(AnsweredCall call, long now)
    {
        Calls.RemoveAll(known => known.ExpiresAt <= now || known.Name == call.Name);
        Calls.Add(call);
    }
}

/// <summary>What a page says of a call.</summary>
/// <param name="Call">Its record, if it is there.</param>
/// <param name="Calls">How many records the page holds.</param>
/// <param name="Bytes">How many bytes their answers have.</param>
/// <param name="HasMore">Whether the record may be in the page below.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.PageLook")]
internal readonly record struct PageLook(
    [property: Id(0)] AnsweredCall? Call,
    [property: Id(1)] int Calls,
    [property: Id(2)] int Bytes,
    [property: Id(3)] bool HasMore)
{
    /// <summary>Whether an answer can be added there.</summary>
    /// <param name="bytes">The answer's.</param>
    public bool HasRoomFor(int bytes) =>
        Calls == 0 || (Calls < AnsweredCalls.CallsMax && Bytes + bytes <= AnsweredCalls.BytesMax);
}
