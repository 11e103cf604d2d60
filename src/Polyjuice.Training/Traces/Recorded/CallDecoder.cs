using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>
/// Reads the calls of one recorded file's chunks, in order. The counterpart of <see cref="CallEncoder"/>.
/// </summary>
internal sealed class CallDecoder(RecordedNames names)
{
    private readonly List<int> _methods = [];

    /// <summary>Reads those of a chunk.</summary>
    /// <param name="input">Behind the attempts.</param>
    /// <param name="count">How many last attempts there are.</param>
    /// <exception cref="CodingException">It is not what an encoder of this version writes.</exception>
    public TraceCall[] Read(ref ByteReader input, int count)
    {
        for (var left = input.Count(); left > 0; left--) _methods.Add(names.Method(MethodNames.Read(ref input)));
        return CallColumns.Read(ref input, count, _methods);
    }
}
