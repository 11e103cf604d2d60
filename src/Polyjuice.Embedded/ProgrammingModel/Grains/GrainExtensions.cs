using System.Globalization;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Core;

namespace Orleans;

/// <summary>Identities and references of grains and of references to them.</summary>
public static class GrainExtensions
{
    /// <summary>The grain's identity.</summary>
    /// <param name="grain">A grain, from within, or a reference to one.</param>
    public static GrainId GetGrainId(this IAddressable grain) => grain switch
    {
        GrainReference reference => reference.Id,
        IGrainBase activated => activated.GrainContext.GrainId,
        null => throw new ArgumentNullException(nameof(grain)),
        _ => throw new ArgumentException($"{grain.GetType()} is neither a grain nor a reference to one.", nameof(grain)),
    };

    /// <summary>A reference to the same grain under an interface that it implements.</summary>
    /// <typeparam name="TGrainInterface">The interface.</typeparam>
    public static TGrainInterface AsReference<TGrainInterface>(this IAddressable grain) => grain switch
    {
        GrainReference reference => ((CallRuntime)reference.Runtime).Grains.Cast<TGrainInterface>(reference.Id),
        IGrainBase activated => ((Activation)activated.GrainContext).Silo.Runtime.Grains.Cast<TGrainInterface>(activated.GrainContext.GrainId),
        null => throw new ArgumentNullException(nameof(grain)),
        _ => throw new ArgumentException($"{grain.GetType()} is neither a grain nor a reference to one.", nameof(grain)),
    };

    /// <summary>A reference to the same grain under an interface that it implements.</summary>
    /// <typeparam name="TGrainInterface">The interface.</typeparam>
    public static TGrainInterface Cast<TGrainInterface>(this IAddressable grain) => grain.AsReference<TGrainInterface>();

    /// <summary>The grain's string key.</summary>
    public static string GetPrimaryKeyString(this IAddressable grain) => grain.GetGrainId().Key;

    /// <summary>The grain's integer key.</summary>
    public static long GetPrimaryKeyLong(this IAddressable grain) => grain.GetPrimaryKeyLong(out _);

    /// <summary>The grain's integer key and the string that extends it.</summary>
    public static long GetPrimaryKeyLong(this IAddressable grain, out string? keyExt) =>
        long.Parse(GrainKeys.Split(grain.GetGrainId().Key, out keyExt), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);

    /// <summary>The grain's GUID key.</summary>
    public static Guid GetPrimaryKey(this IAddressable grain) => grain.GetPrimaryKey(out _);

    /// <summary>The grain's GUID key and the string that extends it.</summary>
    public static Guid GetPrimaryKey(this IAddressable grain, out string? keyExt) =>
        Guid.ParseExact(GrainKeys.Split(grain.GetGrainId().Key, out keyExt), "N");
}
