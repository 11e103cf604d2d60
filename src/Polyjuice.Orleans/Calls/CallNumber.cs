using System.Buffers.Binary;
using System.Security.Cryptography;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Tells a call that starts a transaction from all others: its caller's process, and the number that it has there. The call
/// takes it along in its request context. Orleans sends a message again whose connection breaks while it is being written, and
/// both copies may arrive; by their number the silo sees that they are one call (<see cref="ReceivedCalls"/>). Thread-safe.
/// </summary>
internal static class CallNumber
{
    /// <summary>The key in the request context.</summary>
    public const string Key = "#polyjuice.call";

    private static readonly long _process = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    private static long _last;

    /// <summary>A number that no other call has.</summary>
    public static Guid Next() => Of(_process, Interlocked.Increment(ref _last));

    /// <summary>The number of a process's call.</summary>
    public static Guid Of(long process, long number)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, process);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], number);
        return new(bytes);
    }

    /// <summary>The reverse.</summary>
    public static (long Process, long Number) Read(Guid call)
    {
        Span<byte> bytes = stackalloc byte[16];
        call.TryWriteBytes(bytes);
        return (BinaryPrimitives.ReadInt64LittleEndian(bytes), BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]));
    }

    /// <summary>Calls that are made from here on, in this asynchronous flow, have that number.</summary>
    public static void Carry(Guid call) => RequestContext.Set(Key, call);

    /// <summary>The number of the call that is being received; empty if it has none.</summary>
    public static Guid Take() => CallContext.Take(Key) is Guid call ? call : Guid.Empty;
}
