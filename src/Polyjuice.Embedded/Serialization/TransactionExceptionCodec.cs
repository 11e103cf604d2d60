using Orleans.Transactions;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Carries a transaction exception with what is known of the abort.</summary>
internal sealed class TransactionExceptionCodec<T>(CodecProvider provider, Func<AbortInfo, Exception?, T> create) : ClassCodec<T>(provider)
    where T : OrleansTransactionException
{
    private static readonly AbortInfo s_unknown = new(AbortReason.None, "");

    private CodecSlot<Exception> _inner = new(provider);

    /// <inheritdoc/>
    public override bool IsExactImmutable => true;

    /// <inheritdoc/>
    public override T Create() => create(s_unknown, null);

    /// <inheritdoc/>
    public override void WriteMembers(ref WireWriter writer, T value)
    {
        writer.WriteString(value.Message);
        writer.WriteString(value.StackTrace);
        writer.WriteVarInt(value.HResult);
        _inner.Codec.Write(ref writer, value.InnerException!);
        writer.WriteByte(value.Abort is null ? (byte)0 : (byte)1);
        if (value.Abort is not { } abort) return;
        writer.WriteVarUInt((ulong)abort.Reason);
        writer.WriteString(abort.TransactionType);
        writer.WriteString(abort.Grain);
        writer.WriteString(abort.Site);
        writer.WriteString(abort.OtherType);
        writer.WriteVarUInt((ulong)abort.Attempts);
    }

    /// <inheritdoc/>
    public override void ReadMembers(ref WireReader reader, T value)
    {
        var message = reader.ReadString();
        var stack = reader.ReadString();
        var code = (int)reader.ReadVarInt();
        ExceptionParts.Set(value, message, stack, code, _inner.Codec.Read(ref reader));
        value.Abort = reader.ReadByte() == 0 ? null : new AbortInfo(
            (AbortReason)reader.ReadVarUInt(),
            reader.ReadString() ?? "",
            reader.ReadString(),
            reader.ReadString(),
            reader.ReadString(),
            checked((int)reader.ReadVarUInt()));
    }

    /// <inheritdoc/>
    public override void CopyMembers(T from, T to) =>
        throw new InvalidOperationException("Exceptions are immutable and never copied.");

    /// <inheritdoc/>
    public override void Describe(IMemberVisitor visitor)
    {
        // What every exception has is no member that anybody declared.
    }
}

/// <summary>Registers the codecs of transaction exceptions.</summary>
internal static class TransactionExceptionCodecs
{
    public static void Register(CodecProvider provider)
    {
        provider.Register(Of(provider, (abort, inner) => abort.Reason == AbortReason.None
            ? new OrleansTransactionException("")
            : new OrleansTransactionException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansTransactionAbortedException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansTransactionTransientFailureException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansCascadingAbortException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansOrphanCallException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansReadOnlyViolatedException(abort, inner)));
        provider.Register(Of(provider, (abort, inner) => new OrleansTransactionInDoubtException(abort, inner)));
    }

    private static IValueCodec<T> Of<T>(CodecProvider provider, Func<AbortInfo, Exception?, T> create) where T : OrleansTransactionException =>
        new TransactionExceptionCodec<T>(provider, create);
}
