using System.Security.Cryptography;
using System.Text;
using Orleans;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// Tells what was called from all else that could have been: a hash of the method, and one of the arguments.
/// </summary>
/// <param name="Method">Of the interface and the method.</param>
/// <param name="Arguments">Of the arguments' content.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.CallPrint")]
internal readonly record struct CallPrint([property: Id(0)] Guid Method, [property: Id(1)] Guid Arguments)
{
    /// <summary>That of a request whose arguments are as they came.</summary>
    public static CallPrint Of(IInvokable request)
    {
        var arguments = new ContentWriter();
        for (var i = 0; i < request.GetArgumentCount(); i++) arguments.Write(request.GetArgument(i));
        var method = request.GetMethod();
        return new(
            HashOf(Encoding.UTF8.GetBytes($"{method.DeclaringType}.{method}")), HashOf(arguments.Written));
    }

    /// <summary>A hash that two texts share only by a chance that need not be thought of.</summary>
    public static Guid HashOf(ReadOnlySpan<byte> content)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(content, hash);
        return new(hash[..16]);
    }
}
