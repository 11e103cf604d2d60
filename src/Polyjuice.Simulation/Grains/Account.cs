using System.Buffers;
using System.Buffers.Binary;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Grains;

/// <summary>
/// The state of every simulated grain: a balance, and the list-append history that makes serialization visible. An
/// update appends a token that names its transaction and its run of the body.
/// </summary>
internal sealed class Account
{
    public List<long> Tokens { get; init; } = [];

    public long Balance { get; set; }
}

internal sealed class AccountCodec(long openingBalance) : IStateCodec<Account>
{
    public string Name => "account";

    public bool IsImmutable => false;

    public Account Create() => new() { Balance = openingBalance };

    public Account Copy(Account value) => new() { Tokens = [.. value.Tokens], Balance = value.Balance };

    // In the very instance, so that one which somebody can still look at would show in the history.
    public Account Copy(Account value, Account spent)
    {
        spent.Tokens.Clear();
        spent.Tokens.AddRange(value.Tokens);
        spent.Balance = value.Balance;
        return spent;
    }

    public void Encode(Account value, IBufferWriter<byte> output)
    {
        var size = 8 + (8 * value.Tokens.Count);
        var span = output.GetSpan(size);
        BinaryPrimitives.WriteInt64LittleEndian(span, value.Balance);
        for (var i = 0; i < value.Tokens.Count; i++)
            BinaryPrimitives.WriteInt64LittleEndian(span[(8 + (8 * i))..], value.Tokens[i]);
        output.Advance(size);
    }

    public Account Decode(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 8 || bytes.Length % 8 != 0)
            throw new InvalidDataException($"{bytes.Length} bytes are no account.");
        var account = new Account { Balance = BinaryPrimitives.ReadInt64LittleEndian(bytes) };
        for (var at = 8; at < bytes.Length; at += 8)
            account.Tokens.Add(BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]));
        return account;
    }
}
