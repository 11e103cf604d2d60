using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>A method's names, as every kind of trace file introduces them.</summary>
internal static class MethodNames
{
    public static void Write(TracedMethod method, ByteWriter output)
    {
        output.String(method.GrainType);
        output.String(method.Interface);
        output.String(method.Signature);
    }

    /// <exception cref="CodingException">It is not what was written.</exception>
    public static TracedMethod Read(ref ByteReader input) => new(input.String(), input.String(), input.String());
}
