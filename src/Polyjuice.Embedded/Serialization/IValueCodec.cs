namespace Polyjuice.Embedded.Serialization;

/// <summary>Writes, reads and deep-copies values of one type. Thread-safe.</summary>
/// <typeparam name="T">The type.</typeparam>
public interface IValueCodec<T>
{
    /// <summary>Whether instances can't be changed by anyone, so that <see cref="Copy"/> may return its argument.</summary>
    bool IsImmutable { get; }

    /// <summary>Writes a value.</summary>
    void Write(ref WireWriter writer, T value);

    /// <summary>Reads what <see cref="Write"/> wrote. Throws <see cref="WireFormatException"/> on malformed input.</summary>
    T Read(ref WireReader reader);

    /// <summary>A deep copy.</summary>
    T Copy(T value);
}
