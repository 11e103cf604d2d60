using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Tells a call that starts a transaction from all others: its caller's process, and the number that it has there. The
/// call takes it along (<see cref="SentCall"/>). Thread-safe.
/// </summary>
internal static class CallNumber
{
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
}
