package android.util;

public class AndroidException extends Exception {}
